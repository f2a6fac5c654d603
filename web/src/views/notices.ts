// What went wrong, or worked, outside the answer. Each can be dismissed.
import { html, nothing, type TemplateResult } from 'lit';
import { pointerKeys } from '../base/json.ts';
import type { Action, Notice } from '../store/state.ts';
import type { Context, View } from './context.ts';
import { cross } from './icons.ts';

interface Said {
  readonly tone: 'plain' | 'warn' | 'bad';
  readonly text: string;
  readonly actions: readonly (readonly [label: string, action: Action])[];
}

function crash({ t }: Context, notice: Extract<Notice, { kind: 'crash' }>): Said {
  const again: readonly [string, Action] = [t.notices.planAgain, { kind: 'again' }];
  const copy: readonly [string, Action] = [
    t.notices.copyRequest,
    { kind: 'copy', what: 'request' },
  ];
  return notice.again
    ? { tone: 'warn', text: t.notices.crashAgain(notice.message), actions: [again, copy] }
    : { tone: 'warn', text: t.notices.crash(notice.message), actions: [again] };
}

function said(context: Context, notice: Notice): Said {
  const { t, state } = context;
  switch (notice.kind) {
    case 'link':
      return { tone: 'warn', text: t.notices.link[notice.fault], actions: [] };
    case 'unknown-keys': {
      const keys = state.unknown.map((path) => pointerKeys(path).join('.')).join(', ');
      const drop: Action = { kind: 'drop-unknown' };
      return {
        tone: 'warn',
        text: t.notices.unknown(keys),
        actions: [[t.notices.dropUnknown, drop]],
      };
    }
    case 'crash':
      return crash(context, notice);
    case 'unreadable':
      return { tone: 'bad', text: t.notices.unreadable, actions: [] };
    case 'copied':
      return { tone: 'plain', text: t.notices.copied, actions: [] };
    case 'not-copied':
      return { tone: 'plain', text: t.notices.notCopied(notice.text), actions: [] };
    default:
      return notice satisfies never;
  }
}

function noticeView(context: Context, notice: Notice): TemplateResult {
  const { dispatch, t } = context;
  const { tone, text, actions } = said(context, notice);
  return html`<div class="notice ${tone}" role="status">
    <p>${text}</p>
    ${actions.map(
      ([label, action]) =>
        html`<button class="button small" @click=${() => dispatch(action)}>${label}</button>`,
    )}
    <button class="icon" aria-label=${t.notices.dismiss} title=${t.notices.dismiss}
      @click=${() => dispatch({ kind: 'dismiss', notice })}>${cross()}</button>
  </div>`;
}

function failed({ state, dispatch, t }: Context): View {
  if (state.run.kind !== 'failed') return nothing;
  return html`<div class="notice bad" role="alert">
    <p>${t.notices.failed(state.run.message)}</p>
    <button class="button small" @click=${() => dispatch({ kind: 'retry' })}>
      ${t.notices.retry}
    </button>
  </div>`;
}

export function notices(context: Context): TemplateResult {
  return html`<div class="notices">
    ${failed(context)} ${context.state.notices.map((notice) => noticeView(context, notice))}
  </div>`;
}

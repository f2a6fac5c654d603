import { html, type TemplateResult } from 'lit';

export function logo(): TemplateResult {
  return html`<svg width="18" height="18" viewBox="0 0 18 18" aria-hidden="true">
    <rect class="logo-frame" x="1" y="1" width="16" height="16" rx="3" />
    <rect class="logo-1" x="4.5" y="4.5" width="4" height="9" />
    <rect class="logo-2" x="9.5" y="4.5" width="4" height="4" />
    <rect class="logo-3" x="9.5" y="9.5" width="4" height="4" />
  </svg>`;
}

export function lock(closed: boolean): TemplateResult {
  const shackle = closed
    ? 'M4.5 6.5V4.5a2.5 2.5 0 0 1 5 0v2'
    : 'M4.5 6.5V4.5a2.5 2.5 0 0 1 4.6-1.3';
  return html`<svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true">
    <path d=${shackle} fill="none" stroke="currentColor" stroke-width="1.4" />
    <rect
      x="2.7" y="6.5" width="8.6" height="5.8" rx="1.2"
      fill=${closed ? 'currentColor' : 'none'} stroke="currentColor" stroke-width="1.4" />
  </svg>`;
}

export function cross(): TemplateResult {
  return html`<svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
    <path d="M2.5 2.5l7 7m0-7l-7 7" stroke="currentColor" stroke-width="1.6" />
  </svg>`;
}

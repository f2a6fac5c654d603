// The one store: a state, a way to change it, and those who want to know.
import type { Action, Dispatch, State } from './state.ts';
import { update } from './update.ts';

export type Listener = (state: State, action: Action, before: State) => void;

export interface Store {
  readonly state: () => State;
  readonly dispatch: Dispatch;
  readonly subscribe: (listener: Listener) => () => void;
}

export function createStore(initial: State): Store {
  let state = initial;
  const listeners = new Set<Listener>();
  return {
    state: () => state,
    dispatch: (action) => {
      const before = state;
      state = update(state, action);
      for (const listener of [...listeners]) listener(state, action, before);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

// The request in the URL hash, its only serialised form:
//   #v=1&model.preset=llama-3-70b&cluster.devices=1024&search.pins.tp=8
// One key per leaf, dots between names; a value is JSON, or bare text where that is not ambiguous.
import { isObject, type Json, type JsonObject, parseJson } from '../base/json.ts';

export const hashVersion = '1';
export const maxHashLength = 16_384;
const maxDepth = 12;

export type HashFault = 'too-long' | 'version' | 'malformed';
export type HashRequest =
  | { readonly kind: 'empty' }
  | { readonly kind: 'request'; readonly request: JsonObject }
  | { readonly kind: 'fault'; readonly fault: HashFault };

function escapeText(text: string): string {
  return encodeURIComponent(text).replace(/%2F/g, '/').replace(/%3A/g, ':').replace(/%2C/g, ',');
}

function escapeKey(key: string): string {
  return encodeURIComponent(key).replaceAll('.', '%2E');
}

function leafText(value: Json): string {
  if (typeof value === 'string' && value !== '' && parseJson(value) === undefined) return value;
  return JSON.stringify(value);
}

function leaves(value: Json, keys: readonly string[]): readonly string[] {
  if (isObject(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, inner]) => leaves(inner, [...keys, key]));
  }
  return [`${keys.map(escapeKey).join('.')}=${escapeText(leafText(value))}`];
}

// Without the leading "#".
export function writeHash(request: JsonObject): string {
  const parts = Object.entries(request).flatMap(([key, value]) =>
    key === 'format' ? [] : leaves(value, [key]),
  );
  return [`v=${hashVersion}`, ...parts].join('&');
}

type Draft = { [key: string]: Json | Draft };

// False when the key collides with one already read or could touch an object's prototype.
function put(root: Draft, keys: readonly string[], value: Json): boolean {
  let node = root;
  for (const [i, key] of keys.entries()) {
    if (key === '' || key === '__proto__') return false;
    if (i === keys.length - 1) {
      if (Object.hasOwn(node, key)) return false;
      node[key] = value;
      return true;
    }
    if (!Object.hasOwn(node, key)) node[key] = {};
    const next = node[key];
    if (!isObject(next)) return false;
    node = next as Draft;
  }
  return false;
}

function readPair(root: Draft, pair: string): boolean {
  const equals = pair.indexOf('=');
  if (equals < 1) return false;
  try {
    const keys = pair.slice(0, equals).split('.').map(decodeURIComponent);
    const text = decodeURIComponent(pair.slice(equals + 1));
    const value = parseJson(text);
    return keys.length <= maxDepth && put(root, keys, value === undefined ? text : value);
  } catch {
    return false; // a malformed escape
  }
}

// `format` is the request's own format name: the hash's version stands for it.
export function readHash(hash: string, format: string): HashRequest {
  const text = hash.replace(/^#/, '');
  if (text === '') return { kind: 'empty' };
  if (text.length > maxHashLength) return { kind: 'fault', fault: 'too-long' };
  const [version, ...pairs] = text.split('&');
  if (!version?.startsWith('v=')) return { kind: 'fault', fault: 'malformed' };
  if (version !== `v=${hashVersion}`) return { kind: 'fault', fault: 'version' };
  const root: Draft = { format };
  const good = pairs.filter((pair) => pair !== '').every((pair) => readPair(root, pair));
  return good ? { kind: 'request', request: root } : { kind: 'fault', fault: 'malformed' };
}

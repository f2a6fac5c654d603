// JSON values and JSON Pointers (RFC 6901). Documents are never changed in place.

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json;
}

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

// The value, or undefined when the text is not JSON.
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

export function pointer(...keys: readonly string[]): string {
  return keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

export function pointerKeys(path: string): readonly string[] {
  const keys = path.split('/').slice(1);
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function child(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)];
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function getAt(document: Json | undefined, path: string): Json | undefined {
  return pointerKeys(path).reduce(child, document);
}

// A copy with `value` at `path`; missing objects on the way appear. Arrays are not entered.
export function setAt(document: JsonObject, path: string, value: Json): JsonObject {
  const [key, ...rest] = pointerKeys(path);
  if (key === undefined) return document;
  if (rest.length === 0) return { ...document, [key]: value };
  const inner = document[key];
  return { ...document, [key]: setAt(isObject(inner) ? inner : {}, pointer(...rest), value) };
}

// A copy without what is at `path`; an object that becomes empty goes too.
export function removeAt(document: JsonObject, path: string): JsonObject {
  const [key, ...rest] = pointerKeys(path);
  if (key === undefined || !Object.hasOwn(document, key)) return document;
  const { [key]: inner, ...others } = document;
  if (rest.length === 0 || !isObject(inner)) return others;
  const smaller = removeAt(inner, pointer(...rest));
  return Object.keys(smaller).length === 0 ? others : { ...document, [key]: smaller };
}

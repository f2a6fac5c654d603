// Reads the request's JSON Schema (2020-12): what a field is called, its unit, bounds and choices.
import { getAt, isObject, type Json, type JsonObject, pointer, pointerKeys } from './json.ts';

export interface FieldInfo {
  readonly title: string;
  readonly help: string;
  readonly unit: string;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly choices: readonly Json[];
  readonly isBoolean: boolean;
  readonly fallback: Json | undefined; // the default
}

const branches = ['allOf', 'anyOf', 'oneOf'] as const;

function resolve(root: JsonObject, schema: Json | undefined): JsonObject | undefined {
  let node = schema;
  for (let hops = 0; isObject(node) && typeof node.$ref === 'string' && hops < 16; hops++) {
    const { $ref: reference, ...beside } = node;
    const target = getAt(root, reference.replace(/^#/, ''));
    node = isObject(target) ? { ...target, ...beside } : undefined;
  }
  return isObject(node) ? node : undefined;
}

// Every schema that may describe the node: itself and the branches of its combinators.
function variants(root: JsonObject, schema: Json | undefined): readonly JsonObject[] {
  const node = resolve(root, schema);
  if (!node) return [];
  const inner = branches.flatMap((key) => {
    const list = node[key];
    return Array.isArray(list) ? list.flatMap((each: Json) => variants(root, each)) : [];
  });
  return [node, ...inner];
}

function childSchemas(root: JsonObject, node: JsonObject, key: string): readonly JsonObject[] {
  if (isObject(node.properties) && Object.hasOwn(node.properties, key)) {
    return variants(root, node.properties[key]);
  }
  return /^\d+$/.test(key) ? variants(root, node.items) : [];
}

// The schemas at a pointer into the request; empty when the schema knows no such field.
export function schemasAt(root: JsonObject, path: string): readonly JsonObject[] {
  return pointerKeys(path).reduce(
    (found, key) => found.flatMap((node) => childSchemas(root, node, key)),
    variants(root, root),
  );
}

function choicesOf(found: readonly JsonObject[]): readonly Json[] {
  return found.flatMap((each) => {
    if (Array.isArray(each.enum)) return each.enum as readonly Json[];
    return each.const === undefined ? [] : [each.const];
  });
}

export function fieldInfo(root: JsonObject | undefined, path: string): FieldInfo | undefined {
  const found = root ? schemasAt(root, path) : [];
  if (found.length === 0) return undefined;
  const first = (key: string) => found.find((each) => each[key] !== undefined)?.[key];
  const text = (key: string) => String(first(key) ?? '');
  const bound = (key: string) => {
    const value = first(key);
    return typeof value === 'number' ? value : undefined;
  };
  return {
    title: text('title') || (pointerKeys(path).at(-1) ?? ''),
    help: text('description'),
    unit: text('x-unit'),
    minimum: bound('minimum'),
    maximum: bound('maximum'),
    choices: choicesOf(found),
    isBoolean: found.some((each) => each.type === 'boolean'),
    fallback: first('default'),
  };
}

// Pointers to the parts of a request that the schema does not know. Objects that the schema leaves
// open (additionalProperties) are taken as known.
export function unknownPaths(root: JsonObject, value: Json, path = ''): readonly string[] {
  if (!isObject(value)) return [];
  const here = schemasAt(root, path);
  const open = here.some(
    (each) => isObject(each.additionalProperties) || each.additionalProperties === true,
  );
  if (open || !here.some((each) => isObject(each.properties))) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const at = path + pointer(key);
    return schemasAt(root, at).length === 0 ? [at] : unknownPaths(root, inner, at);
  });
}

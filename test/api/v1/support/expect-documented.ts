import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { PACKAGE_ROOT } from '../../../../src/kernel';
import type { Answer } from '../../support/http-call';

// Holds answers against docs/openapi.json as a client in another language would: by JSON Schema 2020-12.

interface Header {
  readonly required?: boolean;
  readonly schema: object;
}

interface Documented {
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, object>>;
}

const DOCUMENT = 'openapi.json';
const document = JSON.parse(readFileSync(join(PACKAGE_ROOT, 'docs', DOCUMENT), 'utf8')) as object;
const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(document, DOCUMENT);

/** The headers that only some answers have. An answer has none that its status does not declare. */
const OF_SOME = ['etag', 'location', 'idempotency-replayed', 'retry-after', 'content-disposition'];

/** Fails unless the document declares an answer: its status, its headers and its body. */
export function expectDocumented({ method, path }: { method: string; path: string }, answer: Answer): void {
  const { status, headers, text } = answer;
  const place = ['paths', `/api/v1${path}`, method, 'responses', String(status)];
  const { at, found } = resolved<Documented>(place);
  const faults: string[] = [];
  for (const name of Object.keys(found.headers ?? {})) {
    const header = resolved<Header>([...at, 'headers', name]);
    const value = headers[name.toLowerCase()];
    if (value !== undefined) faults.push(...faultsOf([...header.at, 'schema'], value));
    else if (header.found.required === true) faults.push(`${name} is missing`);
  }
  const declared = new Set(Object.keys(found.headers ?? {}).map((name) => name.toLowerCase()));
  for (const name of OF_SOME) {
    if (headers[name] !== undefined && !declared.has(name)) faults.push(`${name} is not declared`);
  }
  const [media = ''] = (headers['content-type'] ?? '').split(';');
  if (media in (found.content ?? {})) {
    const isJson = /json$/.test(media);
    if (isJson) faults.push(...faultsOf([...at, 'content', media, 'schema'], JSON.parse(text)));
  } else if (text !== '' || found.content !== undefined) faults.push(`${media} is not declared`);
  if (faults.length > 0) throw new Error(`${method} ${path} ${status}: ${faults.join('; ')}\n${text}`);
}

/** Follows a path in the document, and a reference at its end. */
function resolved<T>(path: readonly string[]): { readonly at: readonly string[]; readonly found: T } {
  const found = path.reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], document);
  if (found === undefined) throw new Error(`the document does not declare ${path.join(' ')}`);
  const { $ref } = found as { readonly $ref?: string };
  return $ref === undefined ? { at: path, found: found as T } : resolved($ref.slice(2).split('/'));
}

const validators = new Map<string, ValidateFunction>();

function faultsOf(path: readonly string[], value: unknown): string[] {
  const pointer = path.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const validate = validators.get(pointer) ?? ajv.compile({ $ref: `${DOCUMENT}#/${pointer}` });
  validators.set(pointer, validate);
  return validate(value) ? [] : [ajv.errorsText(validate.errors, { dataVar: path.at(-2) ?? '' })];
}

import { AppError, isJsonObject, ownValue, parseInstant, parseStrictJson } from '../../kernel';

const FILE = 'calls file';
const CALLS_MAX = 100_000;
const DEPTH_MAX = 8;

interface CallHead {
  /** An ISO instant with an offset: the business time of the call. */
  readonly at: string;
  /** The fields of the expected answer. */
  readonly expect: Readonly<Record<string, string>>;
}

/** One line of a calls file. A confirm's body is sent unchanged, so a file may contain invalid ones. */
export type FiledCall =
  | (CallHead & { readonly operation: 'check'; readonly agentId: string })
  | (CallHead & { readonly operation: 'confirm'; readonly body: Readonly<Record<string, unknown>> });

/**
 * Reads a calls file: one JSON object per line with `at`, `check` (an agentId) or `confirm` (a body), `expect`, and
 * optionally `group`. Returns the calls in batches: adjacent lines of one group are one batch, any other line is its own.
 *
 * @throws AppError `bad_input` with one line per bad line of the file.
 */
export function readCalls(text: string): FiledCall[][] {
  const lines = text.split('\n').map((line) => line.trimEnd());
  if (lines.length > CALLS_MAX) {
    throw new AppError('bad_input', { field: FILE, expected: `at most ${CALLS_MAX} lines`, got: lines.length });
  }
  const batches: FiledCall[][] = [];
  const faults: string[] = [];
  let lastGroup: string | undefined;
  lines.forEach((line, index) => {
    if (line === '') return;
    const read = readLine(line);
    if (typeof read === 'string') {
      faults.push(`line ${index + 1}: ${read}`);
      return;
    }
    const last = batches.at(-1);
    if (last !== undefined && read.group !== undefined && read.group === lastGroup) last.push(read.call);
    else batches.push([read.call]);
    lastGroup = read.group;
  });
  if (faults.length > 0) throw new AppError('bad_input', { field: FILE, fault: 'cannot be read' }, { details: faults });
  return batches;
}

/** Reads a call and its group, or returns the error of the line. */
function readLine(line: string): { readonly call: FiledCall; readonly group: string | undefined } | string {
  const json = parseStrictJson(line, { depthMax: DEPTH_MAX, refuseDuplicateKeys: true });
  if (!json.ok || !isJsonObject(json.value)) return 'expected a JSON object';
  const field = (name: string): unknown => (isJsonObject(json.value) ? ownValue(json.value, name) : undefined);
  const [at, expect, check, confirm, group] = ['at', 'expect', 'check', 'confirm', 'group'].map(field);
  if (typeof at !== 'string' || parseInstant(at) === undefined) {
    return 'at: expected an ISO 8601 instant with an offset';
  }
  if (!isTexts(expect)) return 'expect: expected an object of strings';
  if (group !== undefined && typeof group !== 'string') return 'group: expected a string';
  if (typeof check === 'string' && confirm === undefined) {
    return { call: { at, expect, operation: 'check', agentId: check }, group };
  }
  if (isJsonObject(confirm) && check === undefined) {
    return { call: { at, expect, operation: 'confirm', body: confirm }, group };
  }
  return 'expected check with an agentId, or confirm with a body';
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isJsonObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

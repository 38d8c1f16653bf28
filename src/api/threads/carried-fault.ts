import { AppError, type AppErrorCode, type Fault, isAppError } from '../../kernel';
import { type ApiProblemCode, ApiRefusal, ERRORS_MAX } from '../operation/problem';

/** A fault as a message between threads, which carry no classes. */
export type CarriedFault =
  | { readonly kind: 'refusal'; readonly code: ApiProblemCode; readonly detail: string }
  | {
      readonly kind: 'problem';
      readonly code: string;
      readonly params: Readonly<Record<string, unknown>>;
      /** The first of them. */
      readonly faults: readonly Fault[];
      readonly faultCount: number;
    }
  | { readonly kind: 'own'; readonly code: AppErrorCode; readonly message: string };

type OwnKind = 'unavailable' | 'outcome_unknown' | 'storage_broken' | 'interrupted' | 'duplicate_key' | 'internal';
const OWN: readonly AppErrorCode[] = [
  'unavailable',
  'outcome_unknown',
  'storage_broken',
  'interrupted',
  'duplicate_key',
  'internal',
];

/** Returns a fault as a message. A bug is `internal`, with its stack for the log. */
export function carried(error: unknown): CarriedFault {
  if (error instanceof ApiRefusal) return { kind: 'refusal', code: error.code, detail: error.message };
  if (!isAppError(error)) {
    return {
      kind: 'own',
      code: 'internal',
      message: error instanceof Error ? (error.stack ?? error.message) : String(error),
    };
  }
  if (OWN.includes(error.code)) return { kind: 'own', code: error.code, message: error.message };
  const { code, params } = error.problem;
  const { faults, faultCount } = error;
  return { kind: 'problem', code, params, faults: faults.slice(0, ERRORS_MAX), faultCount };
}

/** Returns the fault of a message. */
export function faultOf(fault: CarriedFault): Error {
  switch (fault.kind) {
    case 'refusal':
      return new ApiRefusal(fault.code, fault.detail);
    case 'problem': {
      const { code, params, faults: details, faultCount } = fault;
      return new AppError(code as 'bad_input', params as never, { details, faultCount });
    }
    case 'own':
      return new AppError(fault.code as OwnKind, fault.message);
  }
}

import { AppError, type AppErrorCode } from '../../src/kernel';

/** A fault of any kind whose message holds `text`. */
export function aFault(kind: AppErrorCode, text: string): AppError {
  switch (kind) {
    case 'bad_input':
    case 'misconfigured':
      return new AppError(kind, { field: 'field', fault: text });
    case 'forbidden':
      return new AppError('unauthenticated', { field: 'field', fault: text });
    case 'not_found':
      return new AppError(kind, { thing: 'thing', id: text });
    case 'conflict':
      return new AppError('gateway_refused', { fault: text });
    default:
      return new AppError(kind, text);
  }
}

import { AppError } from '../kernel';

/** Returns a fault in one line that names the variable and the file, and reveals nothing of its content. */
export function keyFileFault(path: string, fault: string, cause?: unknown): AppError {
  return new AppError('misconfigured', { field: 'SERVICE_JWT_KEYS_FILE', fault: `${path} ${fault}` }, { cause });
}

/** Returns the system's code for a file error, such as ENOENT. */
export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown reason';
}

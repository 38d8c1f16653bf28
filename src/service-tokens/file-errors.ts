import { AppError } from '../kernel';

/** One line that names the variable and the file, and shows nothing of what it holds. */
export function keyFileFault(path: string, fault: string, cause?: unknown): AppError {
  return new AppError('misconfigured', `SERVICE_JWT_KEYS_FILE: ${path} ${fault}`, { cause });
}

/** The system's word for what went wrong with a file, such as ENOENT. */
export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'unknown reason';
}

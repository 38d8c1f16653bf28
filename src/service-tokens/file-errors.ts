import { AppError } from '../kernel';

/** Returns a fault in one line that names the variable and the file, and reveals nothing of its content. */
export function keyFileFault(path: string, fault: string, cause?: unknown): AppError {
  return new AppError('misconfigured', { field: 'SERVICE_JWT_KEYS_FILE', fault: `${path} ${fault}` }, { cause });
}

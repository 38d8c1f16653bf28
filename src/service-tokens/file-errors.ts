import { AppError, type Notice } from '../kernel';

/** Returns a fault in one line that names the variable and the file, and reveals nothing of its content. */
export function keyFileFault(path: string, fault: string | Notice, cause?: unknown): AppError {
  const { text, command }: Notice = typeof fault === 'string' ? { text: fault } : fault;
  return new AppError(
    'misconfigured',
    { field: 'SERVICE_JWT_KEYS_FILE', fault: `${path} ${text}`, command },
    { cause },
  );
}

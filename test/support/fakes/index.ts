export { fixedClock, type FixedClock } from './fixed-clock';
export { sequentialIds } from './sequential-ids';
export { recordingLogger, type LogEntry, type RecordingLogger } from './recording-logger';

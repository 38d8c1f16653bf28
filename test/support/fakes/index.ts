export { fixedClock, type FixedClock } from './fixed-clock';
export { recordingLogger, type LogEntry, type RecordingLogger } from './recording-logger';

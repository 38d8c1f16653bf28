export { fixedClock, type FixedClock } from './fixed-clock';
export { recordingLogger, type RecordingLogger } from './recording-logger';

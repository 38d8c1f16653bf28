export { createPerson, nextCode } from './people';
export { type Program, type ProgramEnvironment, runCommand, startProgram } from './processes';
export { runDemo } from './run-demo';

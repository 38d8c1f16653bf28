export { runDemo } from './run-demo';

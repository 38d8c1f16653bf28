export { detectNesting } from './nesting';

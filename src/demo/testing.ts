export { LAST_DAY } from './demo-calendar';

export { writeOff } from './workflow/write-off';

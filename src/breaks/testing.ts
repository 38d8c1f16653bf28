export { writeOffHandler } from './workflow/write-off';

export { brokenInvariants } from './books-check-read-model';

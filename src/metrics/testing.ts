export { moneySlice } from './money-read-model';

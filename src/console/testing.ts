export { PAGES } from './pages';
export { menuOf } from './pages/menu';

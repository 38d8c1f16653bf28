export { consoleRoutes } from './console-routes';
export { PAGES } from './pages';

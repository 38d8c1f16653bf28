export { consoleRoutes } from './console-routes';
export type { ConsoleDeps } from './page/console-deps';

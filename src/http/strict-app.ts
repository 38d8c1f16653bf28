import express, { type Express } from 'express';

/**
 * Creates an Express application without Express's defaults: its name in a header, ETags, parsed queries and tolerant
 * paths.
 */
export function strictApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.set('query parser', false);
  return app;
}

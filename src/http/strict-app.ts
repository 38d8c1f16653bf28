import express, { type Express } from 'express';

/** An Express application without what Express does unasked: it names itself, guesses, and takes one path for another. */
export function strictApp(): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.enable('strict routing');
  app.enable('case sensitive routing');
  app.set('query parser', false);
  return app;
}

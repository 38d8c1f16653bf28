import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Response, Router } from 'express';
import { sendBody } from '../../http';
import { type BusinessCalendar, PACKAGE_ROOT } from '../../kernel';
import type { Texts } from '../../texts';
import { entityTag, isKnownTag } from '../operation/encode-answer';
import { ApiRefusal, problemStatuses, problemType } from '../operation/problem';
import { languageHeaders, textsFor } from '../operation/translate-problem';

const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

/** The page may load scripts and styles of this server, and call this server. Swagger UI draws its icons as data. */
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Millime HTTP API</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Keys stay in memory: a key that the browser stored would outlive the visit. */
const START = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#page',
  deepLinking: true,
  validatorUrl: null,
  persistAuthorization: false,
  defaultModelsExpandDepth: 0,
  // The scope of each operation.
  showExtensions: true,
});
`;

interface Document {
  readonly type: string;
  readonly content: Buffer;
  readonly tag: string;
}

/** Creates the routes that need no key: the OpenAPI document, the page to read and try it, and the problem types. */
export function documentRoutes({ timeZone }: Pick<BusinessCalendar, 'timeZone'>): Router {
  const router = Router({ strict: true, caseSensitive: true });
  const documents = new Map<string, Document>();
  const serve = (path: string, type: string, read: () => string | Buffer): void => {
    router.get(path, (request, response) => {
      let document = documents.get(path);
      if (document === undefined) {
        const content = Buffer.from(read());
        documents.set(path, (document = { type, content, tag: entityTag(content) }));
      }
      sendDocument(response, document, request.headers['if-none-match']);
    });
  };
  const asset = (name: string) => () => readFileSync(join(PACKAGE_ROOT, 'dist/swagger-ui', name));
  serve('/openapi.json', JSON_TYPE, () => readFileSync(join(PACKAGE_ROOT, 'docs/openapi.json')));
  serve('/docs', 'text/html; charset=utf-8', () => PAGE);
  serve('/docs/start.js', SCRIPT_TYPE, () => START);
  serve('/docs/swagger-ui-bundle.js', SCRIPT_TYPE, asset('swagger-ui-bundle.js'));
  serve('/docs/swagger-ui.css', 'text/css; charset=utf-8', asset('swagger-ui.css'));
  router.get('/problems', (request, response) => {
    const texts = textsFor(request.headers['accept-language'], timeZone);
    const data = [...problemStatuses().keys()].map((code) => problemType(code, texts));
    sendTranslated(response, texts, { data });
  });
  router.get('/problems/:code', (request, response) => {
    const found = [...problemStatuses().keys()].find((code) => code === request.params['code']);
    if (found === undefined) throw new ApiRefusal('not_found', 'no problem has this code');
    const texts = textsFor(request.headers['accept-language'], timeZone);
    sendTranslated(response, texts, problemType(found, texts));
  });
  return router;
}

function sendTranslated(response: Response, texts: Texts, body: object): void {
  sendBody(response, 200, { type: JSON_TYPE, content: JSON.stringify(body), headers: languageHeaders(texts) });
}

function sendDocument(response: Response, { type, content, tag }: Document, known: string | undefined): void {
  const headers = { ETag: tag, 'Cache-Control': 'no-cache', 'Content-Security-Policy': PAGE_POLICY };
  if (isKnownTag(tag, known)) {
    response.writeHead(304, headers);
    response.end();
    return;
  }
  sendBody(response, 200, { type, content, headers });
}

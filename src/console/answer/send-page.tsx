import type { Response } from 'express';
import type { VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';
import { sendBody } from '../../http';
import { PAGE_HEADERS } from '../web/headers';

/** Sends a document. Its texts are escaped by the renderer. */
export function sendPage(response: Response, status: number, page: VNode): void {
  const content = `<!doctype html>\n${renderToString(page)}`;
  sendBody(response, status, { type: 'text/html; charset=utf-8', content, headers: PAGE_HEADERS });
}

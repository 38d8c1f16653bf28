import type { Request, Response } from 'express';
import { rawBody } from '../../http';
import { PAGE_POLICY } from './html';

const FORM_BYTES_MAX = 16 * 1024;

export const readForm = rawBody(FORM_BYTES_MAX);

export function formOf(request: Request): URLSearchParams {
  const bytes: unknown = request.body;
  return new URLSearchParams(Buffer.isBuffer(bytes) ? bytes.toString('utf8') : '');
}

export function sendPage(response: Response, status: number, text: string, morePolicy = ''): void {
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Content-Security-Policy', `${PAGE_POLICY}${morePolicy}`);
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.end(text);
}

/** Redirects after a form. The browser fetches the address with GET, so reloading it submits nothing again. */
export function goTo(response: Response, address: string): void {
  response.statusCode = 303;
  response.setHeader('Location', address);
  response.end();
}

import type { RequestHandler } from 'express';
import { RequestRefused } from './request-refused';

/** A path with an id of 255 percent-encoded bytes needs a tenth of this. */
const TARGET_CHARACTERS_MAX = 8_192;

/** Refuses an oversized request target with 414, before it is matched or decoded. */
export const limitTarget: RequestHandler = (request, _response, next) =>
  next(request.originalUrl.length > TARGET_CHARACTERS_MAX ? new RequestRefused(414) : undefined);

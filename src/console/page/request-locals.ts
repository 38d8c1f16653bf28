import type { Response } from 'express';
import type { UserSession } from '../../identity';
import type { Texts } from '../../texts';
import type { Transport } from '../web/cookies';

/** What the steps of one request share. */
export interface Locals {
  readonly requestId: string;
  readonly startedAt: number;
  /** The address under which the sender's failures count. */
  readonly address: string;
  readonly transport: Transport;
  texts: Texts;
  /** The template of the path, for metrics. */
  route: string;
  signedIn?: { readonly token: string; readonly session: UserSession };
}

export const localsOf = (response: Response): Locals => response.locals as Locals;

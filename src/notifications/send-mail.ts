import type { Transporter } from 'nodemailer';
import { SECOND_MS } from '../kernel';
import { textsOf } from '../texts';
import type { Attempted, Delivery } from './delivery';
import { classifyFault } from './delivery-fault';
import { mailText } from './mail-text';
import type { MailSettings, NotificationDeps } from './notification-deps';
import type { Recipient } from './recipient';

const TIMEOUT_MS = 10 * SECOND_MS;
/** Shorter than the lease of a message. */
const WHOLE_TIMEOUT_MS = 40 * SECOND_MS;
const RESPONSE_BYTES_MAX = 16 * 1024;
const PERMANENT = 500;

/**
 * Sends a message by e-mail. Its Message-ID is made of the id of the message, so that a second copy of it can be
 * recognized. Never rejects.
 */
export async function sendMail(
  delivery: Delivery,
  { address, language }: Recipient,
  { settings, timeZone }: Pick<NotificationDeps, 'settings' | 'timeZone'>,
): Promise<Attempted> {
  const { mail, consoleUrl } = settings;
  if (mail === undefined) return { outcome: 'refused', error: 'not_configured' };
  const { subject, text } = mailText(delivery, textsOf(language, timeZone), consoleUrl);
  const domain = mail.from.slice(mail.from.indexOf('@') + 1);
  const message = {
    from: { name: 'Millime', address: mail.from },
    to: { name: '', address },
    messageId: `<${delivery.id}@${domain}>`,
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': language },
    ...{ subject, text },
    // A server that answers each command just in time must not outlast the lease.
    signal: AbortSignal.timeout(WHOLE_TIMEOUT_MS),
  };
  try {
    const transporter = await openTransporter(mail.server);
    await transporter.sendMail(message);
    return { outcome: 'sent' };
  } catch (error) {
    const { responseCode } = error as { responseCode?: unknown };
    const answer = typeof responseCode === 'number' ? responseCode : undefined;
    const fault = classifyFault(error);
    // A server that does not know the address today will not know it tomorrow.
    const isFinal = fault === 'refused' && answer !== undefined && answer >= PERMANENT;
    return { outcome: 'refused', error: fault, answer, isFinal };
  }
}

/** Loads the library at the first e-mail, because most commands send none. */
async function openTransporter({ host, port, tls, user, password }: MailSettings['server']): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport({
    ...{ host, port, secure: tls === 'from_start', requireTLS: tls === 'required', ignoreTLS: tls === 'none' },
    ...(user === undefined ? {} : { auth: { user, pass: password ?? '' } }),
    ...{
      connectionTimeout: TIMEOUT_MS,
      greetingTimeout: TIMEOUT_MS,
      socketTimeout: TIMEOUT_MS,
      dnsTimeout: TIMEOUT_MS,
    },
    ...{ disableFileAccess: true, disableUrlAccess: true, maxResponseSize: RESPONSE_BYTES_MAX, logger: false },
    tls: { minVersion: 'TLSv1.2' },
  });
}

const LOOPBACK_HOST = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Returns whether the host of a URL (`URL.hostname`) is this machine by its name or number. */
export function isLoopbackHost(hostname: string): boolean {
  return LOOPBACK_HOST.test(hostname);
}

const MAIL_CHARACTERS_MAX = 254;
/** The addresses that every mail server accepts: no quotes, comments or letters beyond ASCII. */
const MAIL_ADDRESS =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?)*$/;

/** Returns whether a text is an e-mail address. */
export function isMailAddress(text: string): boolean {
  return text.length <= MAIL_CHARACTERS_MAX && MAIL_ADDRESS.test(text);
}

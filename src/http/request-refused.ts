/** Refuses a request by a status alone, before it is parsed. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly status: 400 | 413 | 414 | 415;
  readonly expose = true;

  constructor(status: RequestRefused['status']) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

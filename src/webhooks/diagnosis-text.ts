import type { WebhookRejectionReason } from '../gateway';

/** What each reason of the reader means for whoever has the request before him. */
export const REASON_TEXT: Readonly<Record<WebhookRejectionReason, string>> = {
  bad_method: 'A payment webhook is a GET (version 1) or a POST (version 2); a subscription event is a POST.',
  bad_target: 'The address has a fragment, a space, a control character or one beyond ASCII; none may stand there.',
  missing_parameter: 'A GET needs payment_id and success in its query, neither of them empty.',
  repeated_parameter: 'payment_id or success is in the query more than once, and nobody can say which one counts.',
  body_too_large: 'The body is larger than 64 kB; no webhook of the interface is.',
  compressed_body:
    'The body is compressed, so nobody can say which bytes were signed: turn compression off on the way.',
  missing_signature:
    'There is no X-Service-Signature header. A proxy may have taken it away; POS, partner and payout webhooks have none and belong to the hint routes.',
  duplicate_header: 'There is more than one X-Service-Signature header; something on the way added or doubled it.',
  malformed_signature: 'The signature header is not t=<unix seconds>,v1=<64 hexadecimal digits>; it may have been cut.',
  duplicate_timestamp: 'The signature header has two t; two headers may have been joined into one.',
  bad_timestamp: 'The t of the signature header is missing, or is not unix time in seconds.',
  no_v1: 'The signature header has no v1, the only scheme that is known.',
  too_many_signatures: 'The signature header has more than ten v1.',
  wrong_signature: 'No accepted key signed this content.',
  bad_payment_id: 'It is correctly signed, but the percent-encoding of payment_id cannot be read.',
  bad_success: 'It is correctly signed, but success is neither true nor false.',
  bad_body: 'It is correctly signed, but the body is no JSON object in UTF-8, or is nested too deep.',
  wrong_family:
    'It is correctly signed, but it came to the wrong address: subscription events go to /webhooks/subscription, payment events to /webhooks/payment.',
};

/** What happened to a request whose signature fits another content than the one that came. */
export const OTHER_CONTENT_TEXT: Readonly<Record<string, string>> = {
  changed_newlines:
    'The signature fits the same body with other line ends, or another end: something, perhaps the paste, changed them.',
  parsed_body:
    'The signature fits the same JSON written in another way: something parsed the body and wrote it again. The raw bytes must be kept.',
  changed_encoding:
    'The signature fits the same body in another encoding: something took its bytes for other characters.',
  body_not_signed: 'The signature fits an empty body: the body was lost before it was signed, or was added later.',
  lower_case_success:
    'The signature fits the same query with success in another case: the value must stay exactly as it was sent.',
  percent_encoding:
    'The signature fits payment_id in another percent-encoding: something decoded or encoded the query. The raw request target must be kept.',
  parameter_order: 'The signature fits success before payment_id; the interface signs payment_id first.',
  whole_query: 'The signature fits the whole query; the interface signs payment_id and success alone.',
  changed_success: 'The signature fits the opposite value of success: somebody changed it. It must not be believed.',
};

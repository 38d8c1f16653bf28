import type { WebhookRejectionReason } from '../gateway';
import type { Diagnosis } from './webhooks';

/** The meaning of each rejection reason for the person who diagnoses the request. */
export const REASON_TEXT: Readonly<Record<WebhookRejectionReason, string>> = {
  bad_method: 'A payment webhook is a GET (version 1) or a POST (version 2); a subscription event is a POST.',
  bad_target:
    'The address contains a fragment, a space, a control character or a character beyond ASCII; none is allowed.',
  missing_parameter: 'A GET needs payment_id and success in its query, both with a value.',
  repeated_parameter: 'payment_id or success is in the query more than once, so its value is ambiguous.',
  body_too_large: 'The body is larger than 64 kB; webhooks of the interface are smaller.',
  compressed_body:
    'The body is compressed, so the signed bytes are unknown: turn compression off between the gateway and Millime.',
  missing_signature:
    'The X-Service-Signature header is missing. A proxy may have removed it. POS, partner and payout webhooks have none and belong to the hint routes.',
  duplicate_header: 'The request has more than one X-Service-Signature header; a proxy may have added or repeated it.',
  malformed_signature:
    'The signature header is not t=<unix seconds>,v1=<64 hexadecimal digits>; it may have been shortened.',
  duplicate_timestamp: 'The signature header has two t values; two headers may have been joined into one.',
  bad_timestamp: 'The t of the signature header is missing, or is not unix time in seconds.',
  no_v1: 'The signature header has no v1, the only known scheme.',
  too_many_signatures: 'The signature header has more than ten v1 values.',
  wrong_signature: 'No accepted key signed this content.',
  bad_payment_id: 'It is correctly signed, but the percent-encoding of payment_id cannot be read.',
  bad_success: 'It is correctly signed, but success is neither true nor false.',
  bad_body: 'It is correctly signed, but the body is not a JSON object in UTF-8, or is nested too deeply.',
  wrong_family:
    'It is correctly signed, but it was sent to the wrong address: subscription events go to /webhooks/subscription, payment events to /webhooks/payment.',
};

/** Explanations for a request whose signature was made over other content. */
export const OTHER_CONTENT_TEXT: Readonly<Record<string, string>> = {
  changed_newlines:
    'The signature fits the same body with other line ends, or another end: a program, or the paste, changed them.',
  parsed_body:
    'The signature fits the same JSON in another form: a program parsed the body and wrote it again. Pass the raw bytes on.',
  changed_encoding:
    'The signature fits the same body in another encoding: a program decoded its bytes as other characters.',
  body_not_signed: 'The signature fits an empty body: the body was lost before it was signed, or was added later.',
  lower_case_success:
    'The signature fits the same query with success in another case: pass the value on exactly as it was sent.',
  percent_encoding:
    'The signature fits payment_id in another percent-encoding: a program decoded or encoded the query. Pass the raw request target on.',
  parameter_order: 'The signature fits success before payment_id; the interface signs payment_id first.',
  whole_query: 'The signature fits the whole query; the interface signs payment_id and success alone.',
  changed_success: 'The signature fits the opposite value of success: it was changed in transit. Do not trust it.',
};

/** Returns the diagnosis of a request that would be refused. Pure. */
export function rejectedDiagnosis(cause: string, explanation: string, details: Diagnosis['details'] = {}): Diagnosis {
  return { verdict: 'rejected', cause, explanation, details };
}

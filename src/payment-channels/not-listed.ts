/** The stored status of an answer that lists no transaction of the payment. */
export const NOT_LISTED = 'not_listed';

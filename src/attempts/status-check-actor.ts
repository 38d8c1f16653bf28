/** The actor of the breaks and postings that follow from status checks. */
export const STATUS_CHECK_ACTOR = 'look';

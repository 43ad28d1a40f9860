/** Descriptions of error statuses, for every route. */
export const ERROR_STATUSES = {
  400: 'A parameter or the body is wrong; the message names the field',
  401: 'The caller is not authenticated',
  403: 'The caller may not do it',
  404: 'The resource does not exist, or the caller may not see it',
  409: 'The request conflicts with the current state',
  410: 'It was cancelled, and has no result',
  413: 'The request exceeds a size limit',
  415: 'The media type of the body is not supported',
  416: 'The requested range is beyond the end of the file; Content-Range says its length',
  422: 'Values violate the content model, a text is not valid, or a file cannot be converted',
  429: 'The user has reached a quota',
  500: 'The called operation or chain failed',
  501: 'This server is not set up for it',
  503: 'A required service cannot be reached, or something is being created; retry after Retry-After',
  504: 'The call exceeded its time limit and was rolled back',
} as const

export type ErrorStatus = keyof typeof ERROR_STATUSES

/** What errors mean, whatever the route. */
export const ERROR_STATUSES = {
  400: 'A parameter or the body is wrong; the message names the field',
  401: 'Nobody is authenticated',
  403: 'The caller may not do it',
  404: 'It is not there, or the caller may not see it',
  409: 'Something else stands against it at this moment',
  413: 'The request is larger than it may be',
  415: 'The body is of no media type that is taken',
  422: 'Values break the content model, or a text its notation',
  429: 'As much of it is under way as one user may have',
  500: 'What was called has failed',
  501: 'This server is not set up for it',
  503: 'What it needs cannot be reached, or is being made: ask again after Retry-After',
  504: 'It lasted longer than it may, and was rolled back',
} as const

export type ErrorStatus = keyof typeof ERROR_STATUSES

/**
 * Every way in which the vault says no, as a closed list: the code a program reads, the status, and a title for
 * people. docs/errors.md describes each.
 */
export const errorCodes = {
  malformed_json: { status: 400, title: 'The body is not valid JSON' },
  invalid_request: { status: 400, title: 'The request is not valid' },
  invalid_cursor: { status: 400, title: 'The cursor is not valid' },
  unauthenticated: { status: 401, title: 'Sign-in or a valid token is needed' },
  insufficient_scope: { status: 403, title: 'The token lacks a scope' },
  ip_not_allowed: { status: 403, title: 'The token may not be used from this address' },
  csrf_failed: { status: 403, title: 'The request does not come from the console' },
  reauthentication_required: { status: 403, title: 'A recent sign-in is needed' },
  forbidden: { status: 403, title: 'This is not allowed' },
  not_found: { status: 404, title: 'There is no such thing here' },
  method_not_allowed: { status: 405, title: 'The method is not allowed here' },
  not_acceptable: { status: 406, title: 'No wanted form of the reply is available' },
  conflict: { status: 409, title: 'The request conflicts with the present state' },
  name_taken: { status: 409, title: 'The name is taken' },
  key_taken: { status: 409, title: 'The key is taken' },
  last_identity: { status: 409, title: 'The last login of an account cannot be removed' },
  identity_taken: { status: 409, title: 'The login belongs to another account' },
  personal_vault_undeletable: { status: 409, title: 'The personal vault cannot be deleted' },
  environment_not_empty: { status: 409, title: 'The environment still holds secrets' },
  already_created: { status: 409, title: 'This was already created and is not shown again' },
  request_in_progress: { status: 409, title: 'A request with this idempotency key is still running' },
  limit_reached: { status: 409, title: 'A limit of the account is reached' },
  version_destroyed: { status: 410, title: 'The version was destroyed' },
  precondition_failed: { status: 412, title: 'The state has changed since it was read' },
  body_too_large: { status: 413, title: 'The body is too large' },
  unsupported_media_type: { status: 415, title: 'The content type or encoding is not supported' },
  validation_failed: { status: 422, title: 'Some fields are not valid' },
  idempotency_key_reused: { status: 422, title: 'The idempotency key was used for another request' },
  precondition_required: { status: 428, title: 'The request must say which version it changes' },
  rate_limited: { status: 429, title: 'Too many requests' },
  headers_too_large: { status: 431, title: 'The headers are too large' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  database_unavailable: { status: 503, title: 'The database cannot be reached' },
  audit_unavailable: { status: 503, title: 'The audit log cannot be written' },
  starting: { status: 503, title: 'The service is starting' },
} as const satisfies Record<string, { status: number; title: string }>;

export type ErrorCode = keyof typeof errorCodes;

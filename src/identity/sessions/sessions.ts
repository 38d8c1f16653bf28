import type { Instant } from '../../kernel';
import { beginEnrollment, confirmEnrollment } from './enroll';
import {
  endSession,
  endSessions,
  type EndSessionsCommand,
  type ListedSession,
  sessionOf,
  sessionsOf,
} from './find-session';
import type { Refused, SessionDeps, Wait } from './guesses';
import { changePassword, type FirstPasswordCommand, proveAgain, setFirstPassword } from './own-password';
import { removeEnded } from './remove-ended';
import type { Enrollment } from './second-factor';
import { type SignedIn, signIn, type SignInCommand, type SignInOutcome } from './sign-in';
import type { StartedSession, UserSession } from './user-session';

/**
 * Sign-in and the sessions of users. Where a password is verified, `wait` means that nothing was verified: too many
 * tries failed. `passwords_busy` means that too many passwords are computed in this process.
 */
export interface Sessions {
  /** Signs a user in and starts a session. @throws AppError `passwords_busy`. */
  signIn(command: SignInCommand): Promise<SignInOutcome>;
  /**
   * Sets a password with a one-time code, which is used up, and ends all sessions of the user. The user then signs in.
   *
   * @throws AppError `bad_input` with the field `password`; `passwords_busy`.
   */
  setFirstPassword(command: FirstPasswordCommand): Promise<{ readonly outcome: 'set' } | Refused | Wait>;
  /**
   * Replaces the password of a session's user, ends all their sessions and starts one.
   *
   * @throws AppError `bad_input` with the field `password`; `passwords_busy`.
   */
  changePassword(
    session: UserSession,
    passwords: { readonly oldPassword: string; readonly newPassword: string },
  ): Promise<({ readonly outcome: 'changed' } & StartedSession) | Refused | Wait>;
  /** Proves again that the user is present, which renews `provedAt`. @throws AppError `passwords_busy`. */
  proveAgain(
    session: UserSession,
    password: string,
  ): Promise<{ readonly outcome: 'proved'; readonly provedAt: Instant } | Refused | Wait>;
  /**
   * Returns a secret for an authenticator app. Nothing changes for the user until a code of it is confirmed. A user who
   * has a second factor gives a code of it, because a password alone does not replace it.
   *
   * @throws AppError `proof_needed` when `provedAt` is more than ten minutes ago.
   */
  beginEnrollment(session: UserSession, presentCode?: string): Promise<Enrollment | Refused | Wait>;
  /** Enrolls the second factor, ends all sessions of the user and starts a full one. */
  confirmEnrollment(
    session: UserSession,
    code: string,
  ): Promise<({ readonly outcome: 'enrolled' } & SignedIn) | Refused>;
  /** Returns the session of a token; undefined if it ended for any reason. Counts as a use of the session. */
  find(token: string): Promise<UserSession | undefined>;
  /** Ends a session. A repeat changes nothing. */
  end(token: string): Promise<void>;
  /**
   * Ends all sessions of a user, who may do so themself. Returns their number.
   *
   * @throws AppError `missing_scope`, `bad_input`, `not_found`.
   */
  endAll(command: EndSessionsCommand): Promise<number>;
  /** Returns the sessions of a user that have not ended, newest first. @throws AppError `not_found`. */
  list(userName: string): Promise<ListedSession[]>;
  /** Removes the rows of sessions, tries and browsers that no longer count. */
  removeEnded(signal: AbortSignal): Promise<void>;
}

export function createSessions(deps: SessionDeps): Sessions {
  return {
    signIn: (command) => signIn(deps, command),
    setFirstPassword: (command) => setFirstPassword(deps, command),
    changePassword: (session, passwords) => changePassword(deps, session, passwords),
    proveAgain: (session, password) => proveAgain(deps, session, password),
    beginEnrollment: (session, presentCode) => beginEnrollment(deps, session, presentCode),
    confirmEnrollment: (session, code) => confirmEnrollment(deps, session, code),
    find: (token) => sessionOf(deps, token),
    end: (token) => endSession(deps, token),
    endAll: (command) => endSessions(deps, command),
    list: (userName) => sessionsOf(deps, userName),
    removeEnded: (signal) => removeEnded(deps, signal),
  };
}

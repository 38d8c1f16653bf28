import type { HighBreak } from '../breaks';
import type { Database } from '../db';
import type { BusinessCalendar, Clock } from '../kernel';
import type { Logger } from '../logging';
import type { TokenExpiry } from '../service-tokens';

/** How messages are sent. */
export interface NotificationSettings {
  /** The address of the console, for links. Undefined: no links. */
  readonly consoleUrl: string | undefined;
  /** Undefined: no e-mail. */
  readonly mail: MailSettings | undefined;
  /** From which the secrets of webhooks are derived: the present one, then the previous one. Empty: no webhooks. */
  readonly secrets: readonly string[];
  readonly allowsPrivateAddresses: boolean;
}

export interface MailSettings {
  readonly from: string;
  readonly server: {
    readonly host: string;
    readonly port: number;
    /** `from_start`: TLS before the first command. `required`: STARTTLS, or no mail. `none`: plain text. */
    readonly tls: 'from_start' | 'required' | 'none';
    readonly user: string | undefined;
    readonly password: string | undefined;
  };
}

export interface NotificationDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly calendar: BusinessCalendar;
  readonly logger: Logger;
  readonly timeZone: string;
  readonly settings: NotificationSettings;
  highBreaks(): Promise<readonly HighBreak[]>;
  tokenExpiry(): Promise<TokenExpiry>;
}

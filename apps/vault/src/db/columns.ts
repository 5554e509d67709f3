import { customType, timestamp, uuid } from 'drizzle-orm/pg-core';

/** Bytes as a Node Buffer: hashes, wrapped keys, ciphertexts. */
export const bytea = customType<{ data: Buffer; driverData: Buffer }>({
  dataType: () => 'bytea',
});

/** A list of address ranges. The driver hands it over as Postgres writes it, `{10.0.0.0/8,::1/128}`. */
export const cidrList = customType<{ data: string[]; driverData: string }>({
  dataType: () => 'cidr[]',
  toDriver: (ranges) => `{${ranges.map((range) => `"${range.replace(/["\\]/g, '\\$&')}"`).join(',')}}`,
  fromDriver: (text) =>
    Array.isArray(text)
      ? (text as string[])
      : text
          .slice(1, -1)
          .split(',')
          .filter((range) => range.length > 0),
});

/** A moment with milliseconds, as JavaScript keeps it, so that what is read equals what was written. */
export const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });

export const createdAt = () => moment('created_at').notNull().defaultNow();

export const randomId = () => uuid('id').primaryKey().defaultRandom();

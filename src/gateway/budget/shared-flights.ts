import { type FlightDeps, flyVerify, type VerifyAnswer, type VerifyFlight } from './verify-flight';

/** A verify in transit, and its end. */
interface Flight {
  readonly flight: VerifyFlight;
  readonly landing: Promise<VerifyAnswer>;
}

/** The verifies in transit of this process, at most one that further callers of a payment join. */
export interface SharedFlights {
  /** Returns the verify in transit about the same payment, or starts the given one. */
  join(flight: VerifyFlight): Flight;
  /** Lets no further caller join the verify in transit. */
  detach(paymentId: string): void;
}

export function sharedFlights(deps: FlightDeps): SharedFlights {
  const flights = new Map<string, Flight>();
  return {
    join(flight) {
      const { paymentId } = flight;
      const joined = flights.get(paymentId);
      if (joined !== undefined) return joined;
      const landing = flyVerify(deps, flight).finally(() => {
        if (flights.get(paymentId) === entry) flights.delete(paymentId);
      });
      const entry: Flight = { flight, landing };
      flights.set(paymentId, entry);
      return entry;
    },
    detach: (paymentId) => void flights.delete(paymentId),
  };
}

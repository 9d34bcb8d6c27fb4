/**
 * `own`: signed by this service, and it matches. `mismatch`: it says so, but it does not match. `foreign`: signed by
 * others, whose keys are not ours to fetch. `unavailable`: this browser could not check. `pending`: not checked yet.
 */
export type SignatureState = 'none' | 'pending' | 'own' | 'mismatch' | 'foreign' | 'unavailable'

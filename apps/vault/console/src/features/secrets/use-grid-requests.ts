import { useEffect, useRef } from 'react';
import { type GridRequest, onGridRequest } from './grid-requests.js';

/** Does what the palette asks of the grid, also when it was asked before the grid was there. */
export function useGridRequests(handle: (request: GridRequest) => void): void {
  const current = useRef(handle);
  current.current = handle;
  useEffect(() => onGridRequest((request) => current.current(request)), []);
}

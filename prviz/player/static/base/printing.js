// The modules that make figures for print, which come once somebody wants one.

/* global PLAYER_PRINT -- which the bundle defines: promises what the modules in print/ export */

export const printing = () => PLAYER_PRINT();

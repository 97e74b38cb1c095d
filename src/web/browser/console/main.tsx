import { render } from 'preact';
import { App } from './app.tsx';
import { startNavigation } from './navigation.ts';
import { shownRows, startOpening } from './opening.ts';
import { startClock } from './parts/clock.ts';
import { ignoreSecondClicks } from './second-click.ts';
import { sessions, startSync } from './session.ts';
import { startShellKeys } from './shell-keys.ts';

startClock({ document });
startNavigation(shownRows);
startOpening();
startSync();
ignoreSecondClicks();
startShellKeys();
void sessions.returnToSession();
const root = document.getElementById('app');
if (root) render(<App />, root);

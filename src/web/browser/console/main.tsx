import { render } from 'preact';
import { App } from './app.tsx';
import { startClock } from './data/calendar.ts';
import { startNavigation } from './navigation.ts';
import { ignoreSecondClicks } from './second-click.ts';
import { sessions, startSession } from './session.ts';

startClock({ document });
startNavigation(() => sessions.current.peek()?.shownRows);
startSession();
ignoreSecondClicks();
void sessions.returnToSession();
const root = document.getElementById('app');
if (root) render(<App />, root);

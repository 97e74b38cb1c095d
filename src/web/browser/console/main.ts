import { render } from 'preact';
import { h } from '../shared/element.ts';
import { App, findDeployment } from './app.ts';
import { startRefreshing } from './refresh.ts';

const root = document.getElementById('app');
if (root) render(h(App, {}), root);
startRefreshing();
findDeployment().catch(() => {});

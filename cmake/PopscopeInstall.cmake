# Installation: filled in as rooms land.

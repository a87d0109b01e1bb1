"""aiohttp_client.py BASE TOKEN STEPS: sends each line `METHOD PATH [BODY]` of the file and prints each status."""
import asyncio
import sys

import aiohttp


async def main():
    base, token, steps = sys.argv[1:]
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    async with aiohttp.ClientSession(headers=headers) as session:
        with open(steps) as lines:
            for line in lines.read().splitlines():
                method, path, *body = line.split(" ", 2)
                async with session.request(method, base + path, data=body[0] if body else None) as response:
                    await response.read()
                    print(response.status)


asyncio.run(main())

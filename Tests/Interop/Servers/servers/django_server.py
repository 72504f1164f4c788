"""Reads forms with Django. Usage: django_server.py PORT"""

import sys
from wsgiref.simple_server import make_server

import django
from answer import answer, part
from django.conf import settings
from django.core.wsgi import get_wsgi_application
from django.http import HttpResponse
from django.urls import path

settings.configure(ALLOWED_HOSTS=["127.0.0.1"], ROOT_URLCONF=__name__, SECRET_KEY="of no use here")
django.setup()


def read(request):
    parts = [part(name, value) for name, values in request.POST.lists() for value in values]
    parts += [
        part(name, file.read(), file.name, file.content_type)
        for name, files in request.FILES.lists()
        for file in files
    ]
    return HttpResponse(answer(parts, "django"), content_type="application/json")


urlpatterns = [path("", read)]
make_server("127.0.0.1", int(sys.argv[1]), get_wsgi_application()).serve_forever()
